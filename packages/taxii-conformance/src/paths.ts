// The paths of a collection (TAXII 2.1 §5), each with its slash at the end.

export interface CollectionPaths {
  readonly self: string;
  readonly objects: string;
  readonly manifest: string;
  object(id: string): string;
  versions(id: string): string;
}

/** @param root path of the API root, with its slash at the end. */
export function collectionPaths(root: string, id: string): CollectionPaths {
  const self = `${root}collections/${encodeURIComponent(id)}/`;
  const object = (objectId: string) => `${self}objects/${encodeURIComponent(objectId)}/`;
  return {
    self,
    objects: `${self}objects/`,
    manifest: `${self}manifest/`,
    object,
    versions: (objectId) => `${object(objectId)}versions/`,
  };
}

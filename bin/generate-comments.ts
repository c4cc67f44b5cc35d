// Adds the comments of each .proto file to its generated file, by the full name of the element that each describes.
// The OpenAPI document takes its descriptions from these comments. The descriptors of protobuf-es do not contain them.
// `npm run proto:generate` runs this script after `buf generate`.

import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';

interface Named {
  readonly name: string;
}

interface EnumSource extends Named {
  readonly value?: readonly Named[];
}

interface MessageSource extends Named {
  readonly field?: readonly Named[];
  readonly nestedType?: readonly MessageSource[];
  readonly enumType?: readonly EnumSource[];
}

interface FileSource extends Named {
  readonly package?: string;
  readonly messageType?: readonly MessageSource[];
  readonly enumType?: readonly EnumSource[];
  readonly service?: readonly (Named & { readonly method?: readonly Named[] })[];
  readonly sourceCodeInfo?: {
    readonly location?: readonly { readonly path?: readonly number[]; readonly leadingComments?: string }[];
  };
}

const PACKAGE = 'threatintel.v1';

/** Full names by source path: field numbers of google/protobuf/descriptor.proto and list indexes, joined by dots. */
function namesByPath(file: FileSource): Map<string, string> {
  const names = new Map<string, string>();
  const addAll = (items: readonly Named[] | undefined, path: string, scope: string): void => {
    items?.forEach(({ name }, index) => {
      names.set(`${path}.${index}`, `${scope}.${name}`);
    });
  };
  const addEnums = (enums: readonly EnumSource[] | undefined, path: string, scope: string): void => {
    addAll(enums, path, scope);
    enums?.forEach(({ name, value }, index) => {
      addAll(value, `${path}.${index}.2`, `${scope}.${name}`);
    });
  };
  const addMessages = (messages: readonly MessageSource[] | undefined, path: string, scope: string): void => {
    addAll(messages, path, scope);
    messages?.forEach(({ name, field, nestedType, enumType }, index) => {
      addAll(field, `${path}.${index}.2`, `${scope}.${name}`);
      addMessages(nestedType, `${path}.${index}.3`, `${scope}.${name}`);
      addEnums(enumType, `${path}.${index}.4`, `${scope}.${name}`);
    });
  };
  addMessages(file.messageType, '4', PACKAGE);
  addEnums(file.enumType, '5', PACKAGE);
  addAll(file.service, '6', PACKAGE);
  file.service?.forEach(({ name, method }, index) => {
    addAll(method, `6.${index}.2`, `${PACKAGE}.${name}`);
  });
  return names;
}

/** Joins the lines of each paragraph and keeps the paragraphs apart. */
function reflow(comment: string): string {
  return comment
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*/g, ' ').trim())
    .join('\n\n');
}

const image = execFileSync('buf', ['build', '--output', '-#format=json'], {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
const { file: files } = JSON.parse(image) as { readonly file: readonly FileSource[] };
for (const file of files.filter((file) => file.package === PACKAGE)) {
  const comments: Record<string, string> = {};
  const names = namesByPath(file);
  for (const { path, leadingComments } of file.sourceCodeInfo?.location ?? []) {
    const name = names.get(path?.join('.') ?? '');
    if (name !== undefined && leadingComments !== undefined) comments[name] = reflow(leadingComments);
  }
  const source = `
/** Comments of the .proto file by full name. Added by bin/generate-comments.ts. */
export const COMMENTS: Readonly<Record<string, string>> = ${JSON.stringify(comments, null, 2)};
`;
  const generated = file.name.replace(/\.proto$/, '_pb.ts');
  appendFileSync(new URL(`../src/gen/${generated}`, import.meta.url), source);
}

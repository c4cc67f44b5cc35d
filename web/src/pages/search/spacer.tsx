// Rows of a table that are not in the document.

export function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    height > 0 && (
      <tr>
        <td colSpan={columns} className="result-spacer" style={{ height }} />
      </tr>
    )
  );
}

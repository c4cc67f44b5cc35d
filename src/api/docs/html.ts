// HTML from templates. Every text is escaped, so no comment of the contract can become markup.

/** Markup that is safe to send. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | readonly Html[] | undefined;

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: texts.map((text, index) => text + markupOf(parts[index])).join('') };
}

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (Array.isArray(part)) return part.map(({ markup }) => markup).join('');
  return typeof part === 'object' ? (part as Html).markup : escaped(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Paragraphs with `code`, as the comments of the contract have them. A line that begins with a hyphen is an item. */
export function prose(text = ''): Html[] {
  return text
    .split('\n\n')
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => {
      const lines = paragraph.split('\n');
      const items = lines.filter((line) => line.startsWith('- '));
      const words = lines.filter((line) => !line.startsWith('- ')).join(' ');
      const list = items.map((item) => html`<li>${inline(item.slice(2))}</li>`);
      return html`${words === '' ? undefined : html`<p>${inline(words)}</p>`}${
        list.length === 0 ? undefined : html`<ul>${list}</ul>`
      }`;
    });
}

function inline(text: string): Html[] {
  return text
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
}

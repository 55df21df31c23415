import type { JSX } from 'preact';

interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: object;
}

/** Who owns which fields of an object. */
export function ManagedFields({ text }: { readonly text: string }): JSX.Element | null {
  const { metadata } = JSON.parse(text) as { readonly metadata?: { readonly managedFields?: ManagedFieldsEntry[] } };
  const entries = metadata?.managedFields ?? [];
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>Fields by owner</summary>
      {entries.map(({ fieldsV1 = {}, manager, operation, subresource, time }, index) => (
        <div key={index} class="owner">
          <b>{manager}</b> {operation} {subresource === undefined ? '' : `of ${subresource} `}
          <span class="dim">{time}</span>
          <code>{pathsOf(fieldsV1).join('\n')}</code>
        </div>
      ))}
    </details>
  );
}

/** `f:metadata`, `f:labels`, `f:app` becomes `metadata.labels.app`. */
function pathsOf(fields: object, path = ''): string[] {
  const names = Object.entries(fields).filter(([name]) => name !== '.');
  if (names.length === 0) return path === '' ? [] : [path];
  return names.flatMap(([name, below]) => {
    const member = name.startsWith('f:') ? `${path === '' ? '' : '.'}${name.slice(2)}` : `[${name.slice(2)}]`;
    return pathsOf(below as object, path + member);
  });
}

import type { JSX } from 'preact';
import type { DiffLine } from './diff.ts';

const signs = { same: ' ', added: '+', removed: '-', 'left out': '⋯' } as const;

/** A comparison, line by line. */
export function Diff({ lines }: { readonly lines: readonly DiffLine[] }): JSX.Element {
  if (lines.length === 0) return <p class="note">No difference.</p>;
  return (
    <pre class="diff" tabIndex={0}>
      {lines.map(({ kind, text }, index) => (
        <span key={index} class={kind.replace(' ', '-')}>
          {signs[kind]} {text}
        </span>
      ))}
    </pre>
  );
}

import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** A RegExp literal of the sources. */
export interface FoundPattern {
  readonly source: string;
  readonly flags: string;
  /** `packages/x/src/y.ts:12` */
  readonly place: string;
}

/** `new RegExp(…)` or `RegExp(…)`: what it makes is known when it runs. */
export interface MadePattern {
  readonly place: string;
  readonly file: string;
  readonly text: string;
}

export interface FoundPatterns {
  readonly literals: readonly FoundPattern[];
  readonly made: readonly MadePattern[];
}

/** Every RegExp of the packages' sources (specs and what only they use left out), by their syntax trees. */
export function findPatterns(root: string): FoundPatterns {
  const literals: FoundPattern[] = [];
  const made: MadePattern[] = [];
  for (const file of sourceFiles(root)) {
    const text = readFileSync(join(root, file), 'utf8');
    const { errors, program } = parseSync(file, text);
    if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message ?? ''}`);
    const place = (at: number): string => `${file}:${text.slice(0, at).split('\n').length}`;
    const construct = (node: { readonly start: number; readonly end: number; readonly callee: object }): void => {
      if (!('name' in node.callee) || node.callee.name !== 'RegExp') return;
      made.push({ file, place: place(node.start), text: text.slice(node.start, node.end) });
    };
    new Visitor({
      Literal(node) {
        if ('regex' in node)
          literals.push({ source: node.regex.pattern, flags: node.regex.flags, place: place(node.start) });
      },
      NewExpression: construct,
      CallExpression: construct,
    }).visit(program);
  }
  return { literals, made };
}

function sourceFiles(root: string): string[] {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const folder = join('packages', name, 'src');
    return readdirSync(join(root, folder), { recursive: true })
      .map((path) => join(folder, String(path)))
      .filter((path) => path.endsWith('.ts') && !/(?:\.spec|-spec)\.ts$/.test(path))
      .filter(
        (path) => !path.split(sep).some((part) => ['testing', 'testdata', 'faults', 'spec-support'].includes(part)),
      );
  });
}

import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './documents.ts';

const root = join(import.meta.dirname, '../../..');
const longest = 120;

/**
 * Whether a line may be longer: a regular expression has no place to be broken at, a raw text or a line of a text of
 * many lines would become another text, and an import names one thing in one file.
 */
function isUnbreakable(line: string): boolean {
  return (
    /^\s*(?:[\w$.]+: )?\/.*\/[a-z]*[,;)]*$/.test(line) || /\bString\.raw`/.test(line) || /^import \{ \w+ \} /.test(line)
  );
}

/** Long lines of a source, with their numbers. */
function longLines(source: string): string[] {
  return source
    .split('\n')
    .flatMap((line, i) => (line.length > longest && !isUnbreakable(line) ? [`${i + 1}: ${line}`] : []));
}

describe('lines', () => {
  /** Texts of other languages, line by line. */
  const texts = [
    'packages/apiserver/src/endpoints/handlers/list-memory.spec.ts',
    'packages/controllers/src/stages/presets.ts',
    'packages/controllers/src/stages/stages.spec.ts',
    'test-e2e/src/command/offline.e2e.ts',
    'test-e2e/src/packages/packages.ci.ts',
  ];
  const sources = ['packages', 'test-e2e', 'bench']
    .flatMap((folder) => filesBelow(root, folder))
    .filter((path) => path.endsWith('.ts') && !path.includes('/generated/'));
  const long = new Map(
    sources
      .map((path) => [path, longLines(readFileSync(join(root, path), 'utf8'))] as const)
      .filter(([, lines]) => lines.length > 0),
  );

  it('are all read', () => {
    expect(sources.length).to.be.greaterThan(2_000);
  });

  it(`have at most ${longest} characters`, () => {
    expect([...long].filter(([path]) => !texts.includes(path))).to.deep.equal([]);
  });

  it('are longer only in sources that have such lines', () => {
    expect(texts.filter((path) => !long.has(path))).to.deep.equal([]);
  });

  it('are told when they are longer', () => {
    expect(longLines(`a\n${'b'.repeat(121)}\n${'c'.repeat(120)}`)).to.deep.equal([`2: ${'b'.repeat(121)}`]);
    expect(longLines(`  /^${'a'.repeat(130)}$/i,`)).to.deep.equal([]);
  });
});

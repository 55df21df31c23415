import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { checkSync } from 'recheck';
import { findPatterns, type FoundPattern } from './find-patterns.ts';

const root = join(import.meta.dirname, '../../..');
// The program of recheck is some twenty times as fast as its JavaScript.
process.env['RECHECK_BACKEND'] ??= 'native';

/** Why a pattern may take more than a time linear in its text, or cannot be proven not to. */
function objection({ flags, source }: Pick<FoundPattern, 'flags' | 'source'>): string | undefined {
  // The automaton proves; what recheck fuzzes instead (lookaround, back references) is not proven.
  const found = checkSync(source, flags, { checker: 'automaton', timeout: 60_000 });
  switch (found.status) {
    case 'safe':
      return undefined;
    case 'vulnerable':
      return found.complexity.summary;
    case 'unknown':
      return `not proven (${found.error.kind})`;
    default:
      return found satisfies never;
  }
}

describe('every RegExp', () => {
  const { literals, made } = findPatterns(root);

  it('is found', () => {
    expect(literals.length).to.be.greaterThan(200);
    expect(made.length).to.be.greaterThan(3);
  });

  it('is linear in the text that it is tried on', function () {
    this.timeout(600_000);
    const files = [...new Set(made.map(({ file }) => join(root, file)))];
    const output = execFileSync(process.execPath, [join(import.meta.dirname, 'made-patterns.ts'), ...files], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    const running = (JSON.parse(output) as { source: string; flags: string; stack: string }[]).map(
      ({ flags, source, stack }): FoundPattern => ({ flags, source, place: placeIn(stack) }),
    );
    const ours = running.filter(({ place }) => place.startsWith('packages/'));
    for (const { place } of made)
      expect(
        ours.some((one) => one.place === place),
        `${place} is never made`,
      ).to.equal(true);
    const seen = new Map<string, string | undefined>();
    const wrong: string[] = [];
    for (const pattern of [...literals, ...ours]) {
      const key = `/${pattern.source}/${pattern.flags}`;
      if (!seen.has(key)) seen.set(key, objection(pattern));
      const reason = seen.get(key);
      if (reason !== undefined) wrong.push(`${pattern.place} ${key}: ${reason}`);
    }
    expect(wrong.join('\n')).to.equal('');
  });
});

/** Where the pattern was made: the first place in a package's sources. */
function placeIn(stack: string): string {
  for (const line of stack.split('\n')) {
    const at = line.indexOf('/packages/');
    const found = at < 0 || line.includes('node_modules') ? null : /packages\/[^:]+:\d+/.exec(line.slice(at));
    if (found !== null) return found[0];
  }
  return '';
}

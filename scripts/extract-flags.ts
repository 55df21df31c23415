/**
 * Reads the flags of a kube-apiserver off its `--help`:
 *
 *   node scripts/extract-flags.ts PATH-TO-KUBE-APISERVER
 *
 * Writes test-e2e/src/flags/generated/reference-flags.json and test-e2e/src/parity/generated/reference-plugins.json.
 * Only needed when the reference version changes.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const [program] = process.argv.slice(2);
if (program === undefined) {
  process.stderr.write('usage: node scripts/extract-flags.ts KUBE-APISERVER\n');
  process.exit(1);
}

interface ReferenceFlag {
  readonly name: string;
  readonly group: string;
  /** Empty for switches. */
  readonly type: string;
  /** As the text shows it; empty where it shows none. */
  readonly default: string;
}

/** Flags in the order of their names. */
function flagsOf(help: string): readonly ReferenceFlag[] {
  const flags: ReferenceFlag[] = [];
  let group = '';
  for (const block of help.split(/\n(?=\S|(?: {2}-\w, | {6})--)/)) {
    group = /^(.*) flags:$/m.exec(block)?.[1] ?? group;
    const [, name, type = '', text = ''] = /^(?: {2}-\w, | {6})--([\w-]+)(?: (\S+))?\s{2,}([\s\S]*)$/.exec(block) ?? [];
    if (name === undefined) continue;
    const byDefault = /\(default ([^\n]*)\)\s*$/.exec(text.trimEnd())?.[1] ?? '';
    flags.push({ name, group, type, default: byDefault.replace(/^"(.*)"$/, '$1') });
  }
  return flags.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const lines = (rows: readonly string[]): string => rows.join(',\n');
const help = spawnSync(program, ['--help'], { encoding: 'utf8' }).stdout;
writeFileSync(
  'test-e2e/src/flags/generated/reference-flags.json',
  `[\n${lines(flagsOf(help).map((flag) => JSON.stringify(flag)))}\n]\n`,
);
/** Names of admission plugins as the help lists them. */
const namesAfter = (text: RegExp): readonly string[] => (text.exec(help)?.[1] ?? '').split(', ');
writeFileSync(
  'test-e2e/src/parity/generated/reference-plugins.json',
  `${JSON.stringify(
    {
      source: 'kube-apiserver 1.36.2 --help: --enable-admission-plugins',
      onByDefault: namesAfter(/default enabled ones \(([^)]*)\)/),
      all: namesAfter(/Comma-delimited list of admission plugins: ([^.]*)\./),
    },
    null,
    2,
  )}\n`,
);

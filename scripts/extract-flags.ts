/**
 * Reads the flags of a kube-apiserver off its `--help`, and its feature gates off its metrics: which of them are locked
 * is found out by asking it to change each.
 *
 *   node scripts/extract-flags.ts PATH-TO-KUBE-APISERVER METRICS-OF-A-FRESH-ONE
 *
 * Writes test-e2e/src/flags/generated/reference-flags.json and
 * packages/apiserver/src/options/generated/feature-gates.json.
 * Only needed when the reference version changes.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [program, metrics] = process.argv.slice(2);
if (program === undefined || metrics === undefined) {
  process.stderr.write('usage: node scripts/extract-flags.ts KUBE-APISERVER METRICS-FILE\n');
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

type GateRow = readonly [stage: string, byDefault: boolean, locked: boolean];

/** Gates in the order of their names. */
function gatesOf(exposition: string, kubeAPIServer: string): Readonly<Record<string, GateRow>> {
  const rows = [...exposition.matchAll(/^kubernetes_feature_enabled\{name="(\w+)",stage="(\w*)"\} ([01])$/gm)];
  return Object.fromEntries(
    rows.map(([, name = '', stage, enabled]) => {
      const { stderr } = spawnSync(
        kubeAPIServer,
        [`--feature-gates=${name}=${enabled === '1' ? 'false' : 'true'}`, '--secure-port=0'],
        { encoding: 'utf8' },
      );
      const locked = stderr.includes(`cannot set feature gate ${name} `);
      return [name, [stage === '' ? 'GA' : (stage ?? ''), enabled === '1', locked]];
    }),
  );
}

const lines = (rows: readonly string[]): string => rows.join(',\n');
const help = spawnSync(program, ['--help'], { encoding: 'utf8' }).stdout;
writeFileSync(
  'test-e2e/src/flags/generated/reference-flags.json',
  `[\n${lines(flagsOf(help).map((flag) => JSON.stringify(flag)))}\n]\n`,
);
const gates = gatesOf(readFileSync(metrics, 'utf8'), program);
writeFileSync(
  'packages/apiserver/src/options/generated/feature-gates.json',
  `{\n${lines(Object.entries(gates).map(([name, row]) => `${JSON.stringify(name)}:${JSON.stringify(row)}`))}\n}\n`,
);

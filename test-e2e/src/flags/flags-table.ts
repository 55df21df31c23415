import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagSets as aggregator } from '@kubechain/aggregator/flags';
import { flagSets as apiextensions } from '@kubechain/apiextensions/flags';
import { effectiveGates, knownGates, type Flag, type FlagSet, type FlagStanding } from '@kubechain/apiserver/options';
import { flagSets as kubeAPIServer } from '@kubechain/kube-apiserver/flags';

/** A flag as kube-apiserver's help has it. */
export interface ReferenceFlag {
  readonly name: string;
  readonly group: string;
  readonly type: string;
  readonly default: string;
}

/** Of kube-apiserver 1.36.2; `scripts/extract-flags.ts` reads them off its help. */
export const referenceFlags = JSON.parse(
  readFileSync(join(import.meta.dirname, 'generated/reference-flags.json'), 'utf8'),
) as readonly ReferenceFlag[];

const servers: Readonly<Record<string, Readonly<Record<string, FlagSet>>>> = {
  aggregator,
  'kube-apiserver': kubeAPIServer,
  apiextensions,
};

/** A flag of ours, and which servers have it. */
export interface OwnFlag {
  readonly flag: Flag<unknown>;
  readonly servers: readonly string[];
}

/** Every flag that some server of the chain knows. */
export const ownFlags: ReadonlyMap<string, OwnFlag> = collect();

/** Flags that are read before all others, by every server. */
export const firstFlags: ReadonlyMap<string, string> = new Map([['help', 'Shows the flags.']]);

/** Defaults that are not kube-apiserver's, and why. */
export const ownDefaults: ReadonlyMap<string, string> = new Map([
  ['http2-max-streams-per-connection', "kube-apiserver's default 0 stands for 100"],
  ['service-cluster-ip-range', 'kube-apiserver has the same without showing it'],
  ['storage-media-type', 'objects are written as JSON, which both read'],
  ['storage-backend', 'the same, which the help of kube-apiserver says in words'],
  ['tls-min-version', "the same as Go's, which kube-apiserver does not show"],
]);

function collect(): ReadonlyMap<string, OwnFlag> {
  const flags = new Map<string, { readonly flag: Flag<unknown>; readonly servers: string[] }>();
  for (const [server, sets] of Object.entries(servers))
    for (const set of Object.values(sets))
      for (const [name, flag] of Object.entries(set.flags)) {
        const known = flags.get(name);
        if (known === undefined) flags.set(name, { flag, servers: [server] });
        else known.servers.push(server);
      }
  return flags;
}

const standings: Readonly<Record<FlagStanding, string>> = {
  works: 'works',
  idle: 'taken, nothing to do',
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** docs/flags.md */
export function flagsDocument(): string {
  const rows = referenceFlags.map(({ name }) => {
    const own = ownFlags.get(name);
    if (own === undefined) return `| \`--${name}\` | works | all | ${cell(firstFlags.get(name) ?? '')} |`;
    const { flag } = own;
    const where = own.servers.length === Object.keys(servers).length ? 'all' : own.servers.join(', ');
    return (
      `| \`--${name}\` | ${standings[flag.standing ?? 'works']} | ${where} | ` +
      `${cell(flag.help)}${flag.defaultText === '' ? '' : ` Default \`${cell(flag.defaultText)}\`.`} |`
    );
  });
  const reference = new Set(referenceFlags.map(({ name }) => name));
  const more = [...ownFlags]
    .filter(([name]) => !reference.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => `| \`--${name}\` | ${own.servers.join(', ')} | ${cell(own.flag.help)} |`);
  const count = (standing: FlagStanding): number =>
    referenceFlags.filter(({ name }) => (ownFlags.get(name)?.flag.standing ?? 'works') === standing).length;
  return (
    `# Flags

Every flag that \`kube-apiserver --help\` of 1.36.2 lists (${referenceFlags.length}), and what it does here: ` +
    `${count('works')} work, ${count('idle')} are taken and have nothing to do. \`kubechain up\` gives each to the ` +
    `servers that know it. A spec holds this list ([flags.spec.ts](../test-e2e/src/flags/flags.spec.ts); ` +
    `\`UPDATE_DOCS=1 npx mocha test-e2e/src/flags/flags.spec.ts\` writes it again).

| flag | state | servers | |
|---|---|---|---|
${rows.join('\n')}

## Defaults that differ

| flag | why |
|---|---|
${[...ownDefaults].map(([name, reason]) => `| \`--${name}\` | ${reason} |`).join('\n')}

## Flags that kube-apiserver does not list

| flag | servers | |
|---|---|---|
${more.join('\n')}
`
  );
}

/** docs/feature-gates.md */
export function gatesDocument(): string {
  const effective: ReadonlySet<string> = new Set([...effectiveGates, 'AllAlpha', 'AllBeta']);
  const rows = [...knownGates()].map(
    ([name, { byDefault, locked, stage }]) =>
      `| ${name} | ${stage} | ${byDefault ? 'on' : 'off'}${locked ? ', locked' : ''} | ` +
      `${effective.has(name) ? 'yes' : ''} |`,
  );
  return `# Feature gates

The ${knownGates().size} gates that kube-apiserver 1.36.2 knows, those of kubelet, scheduler and controllers included,
with its defaults. \`--feature-gates\` takes them all, refuses names that are not here and what is locked, and says in
the log which of those that were changed have no effect: the servers behave as with their defaults.
\`kubernetes_feature_enabled\` shows them. A spec holds this list
([flags.spec.ts](../test-e2e/src/flags/flags.spec.ts)).

| gate | stage | default | has an effect here |
|---|---|---|---|
${rows.join('\n')}
`;
}

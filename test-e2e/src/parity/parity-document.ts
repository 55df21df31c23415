import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinGroups, builtinRelease, builtinResources, builtinScheme } from '@kubechain/apimachinery';
import type { OptionalResourceFacts } from '@kubechain/apimachinery';
import { effectiveGates, knownGates, type FlagStanding } from '@kubechain/apiserver/options';
import { knownPlugins } from '@kubechain/apiserver/servers';
import { ownFlags, referenceFlags } from '../flags/flags-table.ts';
import { isOfGo, missingMetrics } from './missing-metrics.ts';

const read = <T>(file: string): T =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'generated', file), 'utf8')) as T;

/** Of kube-apiserver 1.36.2; `scripts/extract-flags.ts` reads them off its help. */
export const referencePlugins: { readonly onByDefault: readonly string[]; readonly all: readonly string[] } =
  read('reference-plugins.json');

/** Names and types of what a fresh kube-apiserver 1.36.2 shows. */
export const referenceMetrics: Readonly<Record<string, string>> = read('reference-metrics.json');

/** docs/reference-parity.md */
export function parityDocument(): string {
  return `# Beside kube-apiserver 1.36

Every flag, feature gate, admission plugin, API and metric of the reference, and what of it there is here. The names
come from recorded facts of kube-apiserver 1.36.2; [a spec](../test-e2e/src/parity/parity.spec.ts) holds this page to
them and to the sources, and writes it again (\`UPDATE_DOCS=1 npx mocha test-e2e/src/parity/parity.spec.ts\`).

## Flags

${flagsText()}

## Feature gates

${gatesText()}

## Admission plugins

In the order in which they run.

| plugin | default | state |
|---|---|---|
${knownPlugins.map(pluginRow).join('\n')}

## APIs

| group version | resources | state |
|---|---|---|
${apiRows().join('\n')}

Versions that Kubernetes has removed are in [legacy-apis.md](legacy-apis.md).

## Metrics

${metricsText()}

| not shown | why |
|---|---|
${missingMetrics.map(missingRow).join('\n')}

| shown | type |
|---|---|
${shownMetrics()
  .map(([name, type]) => `| \`${name}\` | ${type} |`)
  .join('\n')}
`;
}

function missingRow([reason, names]: (typeof missingMetrics)[number]): string {
  return `| ${names.map((name) => `\`${name}\``).join(', ')} | ${reason} |`;
}

function flagsText(): string {
  const count = (standing: FlagStanding): number =>
    referenceFlags.filter(({ name }) => (ownFlags.get(name)?.flag.standing ?? 'works') === standing).length;
  return (
    `Of ${referenceFlags.length}, ${count('works')} work and ${count('idle')} have nothing to do. Each: ` +
    `[flags.md](flags.md).`
  );
}

function gatesText(): string {
  return (
    `All ${knownGates().size} are known with their defaults and locks; ${effectiveGates.length} have an effect on ` +
    'the servers: [feature-gates.md](feature-gates.md) says which. The others change nothing: what they are about is ' +
    'as by default.'
  );
}

function pluginRow({ gate, name, onByDefault }: (typeof knownPlugins)[number]): string {
  const state =
    gate === undefined ? 'works' : `taken; does nothing while the feature gate ${gate} is off, which it is by default`;
  const removed = referencePlugins.all.includes(name) ? '' : '; removed from the reference, needs `--legacy-apis`';
  return `| ${name} | ${onByDefault ? 'on' : 'off'} | ${state}${removed} |`;
}

function apiRows(): readonly string[] {
  const optionalRows = builtinRelease.optional.filter(({ removed }) => removed === undefined);
  const rows = [...builtinResources(), ...optionalRows];
  const groups = [...new Set([...builtinGroups().map(({ group }) => group), ...rows.map(({ group }) => group)])];
  const gated = ['certificates.k8s.io', 'scheduling.k8s.io'];
  return [...new Set([...groups, ...gated])].flatMap((group) =>
    builtinScheme()
      .versions(group)
      .flatMap((version) => {
        const isIn = (row: { readonly group: string; readonly version: string }): boolean =>
          row.group === group && row.version === version;
        const served = builtinResources().filter(isIn);
        const optional = optionalRows.filter(isIn);
        const name = group === '' ? version : `${group}/${version}`;
        if (served.length > 0) return [apiRow(name, served, 'served')];
        if (optional.length > 0) return [apiRow(name, optional, stateOf(optional))];
        return gated.includes(group) && /alpha|beta/.test(version) ? [gatedRow(name)] : [];
      }),
  );
}

function stateOf(rows: readonly OptionalResourceFacts[]): string {
  const [gate] = rows.flatMap((row) => row.gate ?? []);
  const asked = 'where `--runtime-config` asks for it';
  return gate === undefined ? asked : `${asked} and the feature gate ${gate} is on`;
}

function gatedRow(name: string): string {
  const why = 'taken by `--runtime-config`; has no resources, as in the reference';
  return `| \`${name}\` | | ${why} |`;
}

function apiRow(name: string, rows: readonly { readonly resource: string }[], state: string): string {
  return `| \`${name}\` | ${rows.map(({ resource }) => resource).join(', ')} | ${state} |`;
}

/** Metrics that are shown here as well. */
export function shownMetrics(): readonly (readonly [name: string, type: string])[] {
  const missing = new Set(missingMetrics.flatMap(([, names]) => names));
  return Object.entries(referenceMetrics).filter(([name]) => !missing.has(name) && !isOfGo(name));
}

function metricsText(): string {
  const all = Object.keys(referenceMetrics);
  const ofGo = all.filter(isOfGo).length;
  const shown = shownMetrics().length;
  return (
    `A fresh kube-apiserver shows ${all.length}. ${ofGo} are of Go's runtime (\`go_*\`), of which there is none ` +
    `here; of the other ${all.length - ofGo}, ${shown} are shown, most of them from the first time that ` +
    'they count something.'
  );
}

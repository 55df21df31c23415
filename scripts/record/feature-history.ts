import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a gate is from a release on; locked: it cannot be set to anything else. */
export type GateSpec = readonly [
  since: string,
  stage: string,
  byDefault: boolean,
  locked?: 'locked' | '',
  minCompatible?: string,
];

/** Sources that register gates of kube-apiserver. */
const FILES = [
  'pkg/features/kube_features.go',
  'staging/src/k8s.io/apiserver/pkg/features/kube_features.go',
  'staging/src/k8s.io/apiextensions-apiserver/pkg/features/kube_features.go',
  'staging/src/k8s.io/client-go/features/known_features.go',
  'staging/src/k8s.io/component-base/metrics/features/kube_features.go',
  'staging/src/k8s.io/component-base/zpages/features/kube_features.go',
  'staging/src/k8s.io/controller-manager/pkg/features/kube_features.go',
];
const STAGES: Readonly<Record<string, string>> = { Alpha: 'ALPHA', Beta: 'BETA', GA: 'GA', Deprecated: 'DEPRECATED' };

/** `kubernetes_feature_enabled` of gates that have no history of releases in the sources. */
const ROW = /^kubernetes_feature_enabled\{name="(\w+)",stage="(\w*)"\} ([01])$/gm;

/**
 * Every gate by name, with what it has been since which release, oldest first.
 * @param tree source tree of the release
 * @param exposition metrics of a fresh kube-apiserver of it; what it says is looked for in the sources
 */
export function featureHistory(tree: string, exposition: string, release: string): GateHistory {
  const history = historyOfSources(tree);
  const minor = (version: string): number => Number(version.split('.')[1]);
  const gates: Record<string, readonly GateSpec[]> = {};
  for (const [, name = '', stage = '', enabled] of exposition.matchAll(ROW)) {
    const specs = history[name] ?? [['1.0', stage === '' ? 'GA' : stage, enabled === '1']];
    // By default a server goes together with components of the release before.
    const spec = specs.findLast(
      ([since, , , , minCompatible]) =>
        minor(since) <= minor(release) && minor(minCompatible ?? since) <= minor(release) - (minCompatible ? 1 : 0),
    );
    if (spec?.[1] !== (stage === '' ? 'GA' : stage) || spec[2] !== (enabled === '1'))
      throw new Error(`the server says of ${name} what the sources do not: ${JSON.stringify(specs)}`);
    gates[name] = specs;
  }
  return Object.fromEntries(Object.entries(gates).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** By gate. */
export type GateHistory = Readonly<Record<string, readonly GateSpec[]>>;

function historyOfSources(tree: string): GateHistory {
  const history: Record<string, readonly GateSpec[]> = {};
  for (const file of FILES) {
    if (!existsSync(join(tree, file))) continue;
    const text = readFileSync(join(tree, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    const names = new Map(
      [...text.matchAll(/^\s*(\w+)\s+(?:featuregate\.)?Feature\s+= "(\w+)"/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    for (const [, name = '', body = ''] of text.matchAll(/^\t+([\w.]+): +\{\n((?:(?!\t+\},).*\n)+)\t+\},$/gm)) {
      const specs = [...body.matchAll(/\{Version: version\.MustParse\("([\d.]+)"\), (.*?)\},/g)].map(
        ([, since = '', members = '']): GateSpec => {
          const stage = STAGES[/PreRelease: (?:featuregate\.)?(\w+)/.exec(members)?.[1] ?? ''] ?? '';
          const byDefault = /\bDefault: true/.test(members);
          const locked = /LockToDefault: true/.test(members) ? 'locked' : '';
          const minCompatible = /MinCompatibilityVersion: version\.MustParse\("([\d.]+)"\)/.exec(members)?.[1];
          if (minCompatible !== undefined) return [since, stage, byDefault, locked, minCompatible];
          return locked === '' ? [since, stage, byDefault] : [since, stage, byDefault, locked];
        },
      );
      if (specs.length > 0) history[names.get(name) ?? name.replace(/^.*\./, '')] = specs;
    }
  }
  return history;
}

import { mirrorPodAnnotation, selectorFromObject } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { Container, EnvFromSource, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { PodPreset as Preset, PodPresetSpec } from '@kubechain/apimachinery/types/settings/v1alpha1';
import { semanticEqual } from '../registry/semantic-equal.ts';
import { concerns } from './attributes.ts';
import type { ObjectLookup } from './object-lookup.ts';

const log = new Logger('admission');
const prefix = 'podpreset.admission.kubernetes.io';

/**
 * Gives new pods what the presets say that select them: variables, volumes and mounts. Where presets contradict the pod
 * or each other, the pod stays as it is (plugin/pkg/admission/podpreset, 1.19, the last that had it).
 */
export class PodPreset implements AdmissionPlugin {
  readonly name = 'PodPreset';
  readonly #presets: ObjectLookup;

  constructor(presets: ObjectLookup) {
    this.#presets = presets;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    if (!concerns(attributes, '', 'pods')) return;
    const pod = attributes.object as Pod;
    const annotations = pod.metadata?.annotations;
    if (annotations?.[mirrorPodAnnotation] !== undefined || annotations?.[`${prefix}/exclude`] === 'true') return;
    const presets = ((await this.#presets.list(attributes.namespace)) as readonly Preset[]).filter((preset) =>
      selectorFromObject(preset.spec?.selector ?? {}).matches(pod.metadata?.labels),
    );
    if (presets.length === 0) return;
    const conflict = apply(presets, pod);
    if (conflict !== undefined)
      log.warning('pod presets contradict the pod, which stays as it is', {
        presets: presets.map(({ metadata }) => metadata?.name ?? '').join(','),
        pod: pod.metadata?.name ?? pod.metadata?.generateName ?? '',
        conflict,
      });
  }
}

/** Changes the pod, unless something contradicts: what does. */
function apply(presets: readonly Preset[], pod: Pod): string | undefined {
  const conflicts: string[] = [];
  const { spec } = pod;
  if (spec === undefined) return undefined;
  const specs = presets.map((preset) => preset.spec ?? {});
  const merged = <T>(own: readonly T[] | undefined, { from, keys }: Merge<T>): T[] =>
    mergeBy(
      own ?? [],
      specs.flatMap((preset) => from(preset) ?? []),
      { keys, conflicts },
    );
  const volumes = merged(spec.volumes, { from: (preset) => preset.volumes, keys: [({ name }) => name] });
  const change = (container: Container): Container => ({
    ...container,
    ...given('env', merged(container.env, { from: ({ env }) => env, keys: [({ name }) => name] })),
    ...given(
      'volumeMounts',
      merged(container.volumeMounts, {
        from: ({ volumeMounts }) => volumeMounts,
        keys: [({ name }) => name, ({ mountPath }) => mountPath],
      }),
    ),
    ...given('envFrom', merged(container.envFrom, { from: ({ envFrom }) => envFrom, keys: [keyOfSource] })),
  });
  const containers = spec.containers.map(change);
  const initContainers = spec.initContainers?.map(change);
  if (conflicts.length > 0) return conflicts.join('; ');
  Object.assign(spec, given('volumes', volumes), { containers });
  if (initContainers !== undefined) spec.initContainers = initContainers;
  const metadata = (pod.metadata ??= {});
  metadata.annotations = {
    ...metadata.annotations,
    ...Object.fromEntries(
      presets.map((preset) => [
        `${prefix}/podpreset-${preset.metadata?.name ?? ''}`,
        preset.metadata?.resourceVersion ?? '',
      ]),
    ),
  };
  return undefined;
}

interface Merge<T> {
  readonly from: (preset: PodPresetSpec) => readonly T[] | undefined;
  /** What two entries must not share without being the same. */
  readonly keys: readonly ((entry: T) => string)[];
}

/** Entries whose first key is new are added; one whose keys are taken by another entry is a conflict. */
function mergeBy<T>(
  own: readonly T[],
  added: readonly T[],
  { conflicts, keys }: { readonly keys: readonly ((entry: T) => string)[]; readonly conflicts: string[] },
): T[] {
  const taken = keys.map((key) => new Map(own.map((entry) => [key(entry), entry])));
  const merged = [...own];
  for (const entry of added)
    keys.forEach((key, i) => {
      const found = taken[i]?.get(key(entry));
      if (found === undefined) {
        taken[i]?.set(key(entry), entry);
        if (i === 0) merged.push(entry);
      } else if (!semanticEqual(found, entry)) conflicts.push(`${key(entry)} is there already`);
    });
  return merged;
}

function keyOfSource({ configMapRef, prefix: names = '', secretRef }: EnvFromSource): string {
  return JSON.stringify([names, configMapRef?.name ?? '', secretRef?.name ?? '']);
}

function given<K extends string, T>(name: K, list: readonly T[]): { [P in K]?: T[] } {
  return (list.length === 0 ? {} : { [name]: [...list] }) as { [P in K]?: T[] };
}

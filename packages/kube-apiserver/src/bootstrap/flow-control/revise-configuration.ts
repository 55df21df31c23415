import type { KubeObject } from '@kubechain/apimachinery';
import { autoUpdateAnnotation, mandatoryNames } from '@kubechain/apiserver/resources';
import { semanticEqual } from '../../registry/semantic-equal.ts';

/**
 * The object as it is to be stored instead of `current`, undefined when it is good as it is
 * (pkg/registry/flowcontrol/ensurer/strategy.go, 1.36). Mandatory objects always get the spec of `wanted`, suggested
 * ones as long as nobody has taken them over: the annotation says so, or without a usable one the generation, which is
 * 1 until a spec changes.
 */
export function reviseConfiguration(current: KubeObject, wanted: KubeObject): KubeObject | undefined {
  const { metadata = {} } = current;
  const marked = parseBool(metadata.annotations?.[autoUpdateAnnotation]);
  const automatic = mandatoryNames.has(metadata.name ?? '') || (marked ?? metadata.generation === 1);
  const specDiffers = automatic && !specFits(current, wanted);
  if (marked === automatic && !specDiffers) return undefined;
  return {
    ...current,
    ...(specDiffers ? { spec: structuredClone(wanted['spec']) } : {}),
    metadata: { ...metadata, annotations: { ...metadata.annotations, [autoUpdateAnnotation]: String(automatic) } },
  };
}

/** Whether an object that nobody wants any more is the server's own to remove: those that are kept up to date are. */
export function isRemovable(current: KubeObject): boolean {
  return parseBool(current.metadata?.annotations?.[autoUpdateAnnotation]) === true;
}

/** How many seats the exempt level has is for administrators to say. */
function specFits(current: KubeObject, wanted: KubeObject): boolean {
  const spec = current['spec'] as KubeObject | undefined;
  const fixed = wanted['spec'] as KubeObject;
  if (current.metadata?.name !== 'exempt' || fixed['exempt'] === undefined) return semanticEqual(spec, fixed);
  return (
    spec?.['exempt'] !== undefined && semanticEqual({ ...spec, exempt: undefined }, { ...fixed, exempt: undefined })
  );
}

/** Go's strconv.ParseBool. */
function parseBool(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (/^(?:1|t|T|true|TRUE|True)$/.test(text)) return true;
  return /^(?:0|f|F|false|FALSE|False)$/.test(text) ? false : undefined;
}

import { compareText } from '@kubechain/apimachinery';

/** `"a", "b"`. The texts are not escaped. */
export function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ');
}

/** The noun as it goes with that many things. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `container "a"`, `containers "a", "b"` */
export function containersText(names: readonly string[]): string {
  return `${plural(names.length, 'container')} ${quoted(names)}`;
}

/** `pod and container "a"`: who set something; '' for nobody. */
export function settersText(podSets: boolean, containers: readonly string[]): string {
  return [...(podSets ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])].join(' and ');
}

/** Each text once, in byte order. */
export function sortedOnce(texts: Iterable<string>): readonly string[] {
  return [...new Set(texts)].sort(compareText);
}

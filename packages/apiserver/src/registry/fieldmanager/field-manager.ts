import type { KubeObject, Pause } from '@kubechain/apimachinery';

/**
 * Keeps `metadata.managedFields` of the objects of one resource in one version and subresource: who set which field.
 * What handlers need of apimachinery's field manager.
 */
export interface FieldManager {
  /**
   * Records in `updated` what `manager` changed against `live`; never fails (bad managedFields are dropped).
   * Both are in memory version; `live` without metadata.uid means that the object is new. May change and return
   * `updated`.
   */
  update(live: KubeObject, updated: KubeObject, manager: string): KubeObject | Promise<KubeObject>;
  /**
   * The object that results from applying `patch` (in the served version) to `live`.
   * @throws StatusError Conflict with a cause per field that others own, unless `force`
   */
  apply(
    live: KubeObject,
    patch: KubeObject,
    options: { readonly manager: string; readonly force: boolean; readonly pause?: Pause },
  ): KubeObject | Promise<KubeObject>;
}

/** Longest name of a field manager, in bytes (meta/v1/validation.FieldManagerMaxLength). */
const maxManagerBytes = 128;
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** Node reads headers as Latin-1; what clients send beyond ASCII is UTF-8, as Go takes it. */
function headerText(value: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8');
}

/** The manager that a request names, or what its User-Agent begins with, up to the first slash. */
export function managerOrUserAgent(manager: string, userAgent: string | undefined): string {
  if (manager !== '') return manager;
  const [prefix = ''] = headerText(userAgent ?? '').split('/', 1);
  if (prefix.length <= maxManagerBytes / 3 && !unprintable.test(prefix)) return prefix;
  let name = '';
  let bytes = 0;
  for (const character of prefix) {
    if (unprintable.test(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > maxManagerBytes) break;
    name += character;
  }
  return name;
}

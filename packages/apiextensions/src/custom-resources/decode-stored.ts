import {
  DecodeError,
  decodeCBOR,
  decodeJSON,
  formatGroupVersion,
  isCBOR,
  isDecodeError,
  parseGroupVersion,
  syntaxError,
} from '@kubechain/apimachinery';
import type { GroupVersion, KindInfo, KubeObject } from '@kubechain/apimachinery';

/** What is stored of custom objects: they name their kind by a member of exactly this name, and may lack a version. */
const unstructured: KindInfo = {
  gvk: { group: '', version: '', kind: '' },
  schema: { kind: 'any', mapType: 'granular' },
  goType: 'unstructured.Unstructured',
  unstructured: true,
};

/**
 * A custom object in stored bytes, in the version in which it was stored.
 *
 * @throws DecodeError with upstream's text (apimachinery/pkg/apis/meta/v1/unstructured, 1.36)
 */
export function decodeStored(bytes: Uint8Array): KubeObject {
  if (isCBOR(bytes)) return decodeCBOR(bytes, undefined).object;
  try {
    return decodeJSON(bytes, unstructured, { anyVersion: true }).object;
  } catch (error) {
    if (!isDecodeError(error) || error.code !== 'Unreadable') throw error;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    throw new DecodeError('Unreadable', syntaxError(bytes) ?? notAnObject(text), { cause: error });
  }
}

/** What is wrong with JSON that is no object, or whose members for its type are none. */
function notAnObject(text: string): string {
  const root = goKinds.get(text.trimStart()[0] ?? '');
  return root === undefined
    ? `Object 'Kind' is missing in '${text}'`
    : `json: cannot unmarshal ${root} into Go value of type map[string]interface {}`;
}

/** By the first character, what Go calls JSON that is neither an object nor null. */
const goKinds: ReadonlyMap<string, string> = new Map([
  ['[', 'array'],
  ['"', 'string'],
  ['t', 'bool'],
  ['f', 'bool'],
  ...'-0123456789'.split('').map((character): [string, string] => [character, 'number']),
]);

/**
 * Refuses an object of another group than its resource's, or in a version that the definition does not have
 * (apiextensions-apiserver/pkg/apiserver/conversion/converter.go, 1.36).
 *
 * @throws DecodeError `WrongVersion`
 */
export function requireKnownVersion(
  { apiVersion = '', kind = '' }: KubeObject,
  known: { readonly storageVersion: GroupVersion; readonly has: (apiVersion: string) => boolean },
): void {
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const { storageVersion } = known;
  if (group !== storageVersion.group)
    throw new DecodeError(
      'WrongVersion',
      `${group}/${version}, Kind=${kind} is unstructured and is not suitable for converting to ` +
        `"${formatGroupVersion(storageVersion)}"`,
    );
  if (!known.has(apiVersion))
    throw new DecodeError('WrongVersion', `request to convert CR from an invalid group/version: ${apiVersion}`);
}

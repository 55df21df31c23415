import { badRequest, isDecodeError, isJSONObject, readCBOR, readYAML } from '@kubechain/apimachinery';
import type { JSONValue, KubeObject } from '@kubechain/apimachinery';
import { jsonTypeName } from './json-type-name.ts';

/** What is applied, as written: no kind is required yet. */
export interface AppliedConfiguration {
  readonly configuration: KubeObject;
  /** What a strict reader would refuse of YAML. */
  readonly duplicates: string | undefined;
}

/**
 * Reads the body of an apply; `form` is what errors call it.
 * @throws StatusError BadRequest in the words of Go's packages
 */
export type ReadApplied = (body: Uint8Array, form: string) => AppliedConfiguration | Promise<AppliedConfiguration>;

const INTO_MAP = 'into Go value of type map[string]interface {}';

export const readAppliedYAML: ReadApplied = async (body, form) => {
  try {
    const { duplicates, value } = await readYAML(body);
    if (value !== null && !isJSONObject(value))
      throw badRequest(
        `error decoding ${form}: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ` +
          `${jsonTypeName(value)} ${INTO_MAP}`,
      );
    return { configuration: (value ?? {}) as KubeObject, duplicates };
  } catch (error) {
    throw isDecodeError(error)
      ? badRequest(`error decoding ${form}: error converting YAML to JSON: ${error.message}`)
      : error;
  }
};

/** There are no duplicates in CBOR that could be read. */
export const readAppliedCBOR: ReadApplied = (body, form) => {
  let value: JSONValue;
  try {
    value = readCBOR(body);
  } catch (error) {
    throw isDecodeError(error) ? badRequest(`error decoding ${form}: ${error.message}`) : error;
  }
  if (value !== null && !isJSONObject(value))
    throw badRequest(`error decoding ${form}: cbor: cannot unmarshal ${cborTypeName(value)} ${INTO_MAP}`);
  return { configuration: (value ?? {}) as KubeObject, duplicates: undefined };
};

function cborTypeName(value: Exclude<JSONValue, object> | readonly JSONValue[]): string {
  switch (typeof value) {
    case 'string':
      return 'byte string';
    case 'boolean':
      return 'primitives';
    case 'object':
      return 'array';
    default:
      if (typeof value === 'number' && !Number.isInteger(value)) return 'primitives';
      return value < 0 ? 'negative integer' : 'positive integer';
  }
}

import {
  DecodeError,
  decodeJSON,
  formatGroupVersion,
  isDecodeError,
  type DecodeOptions,
  type GroupVersionKind,
  type KindInfo,
  type Scheme,
} from '@kubechain/apimachinery';
import { yamlValue } from '@kubechain/apimachinery/yaml';

/** What configuration files are read with. */
export interface ConfigurationDecoding {
  /** Whether unknown fields are refused. */
  readonly strict: boolean;
  /** What a document without a type is taken for. */
  readonly expected?: KindInfo;
}

/** What a configuration file holds. */
export interface DecodedConfiguration {
  readonly gvk: GroupVersionKind;
  /** As they are written, apart from what is null; of the types that their schema says. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What the reference calls a scheme that it makes for one kind of file. */
const schemeName = 'pkg/runtime/scheme.go:111';

/**
 * A YAML or JSON document as one of `kinds`, in the reference's words where it is none.
 * @throws DecodeError
 */
export function decodeConfiguration(
  text: string,
  kinds: readonly KindInfo[],
  { expected, strict }: ConfigurationDecoding,
): DecodedConfiguration {
  const options: DecodeOptions = {
    scheme: schemeOf(kinds),
    schemeName,
    strict: strict ? 'Strict' : 'Ignore',
  };
  const json = jsonOf(text, strict);
  try {
    const { gvk, object } = decodeJSON(Buffer.from(json), expected, options);
    return { gvk, fields: { ...object } };
  } catch (error) {
    if (!isDecodeError(error) || !['MissingKind', 'MissingVersion'].includes(error.code)) throw error;
    // Such errors show the document, as it was written.
    throw new DecodeError(
      error.code,
      error.message.replace(json, () => text),
      { cause: error },
    );
  }
}

/** YAML is brought to JSON as the reference does: with its keys in order, and strict about those that are there twice. */
function jsonOf(text: string, strict: boolean): string {
  if (text.trimStart().startsWith('{')) return text;
  const { duplicates, value } = yamlValue(text);
  if (strict && duplicates !== undefined) throw new DecodeError('Strict', `strict decoding error: ${duplicates}`);
  return JSON.stringify(value);
}

function schemeOf(kinds: readonly KindInfo[]): Scheme {
  const name = (gvk: GroupVersionKind): string => `${formatGroupVersion(gvk)} ${gvk.kind}`;
  const byName = new Map(kinds.map((info) => [name(info.gvk), info]));
  return {
    kind: (gvk) => byName.get(name(gvk)),
    versions: (group) => kinds.filter((info) => info.gvk.group === group).map((info) => info.gvk.version),
    kinds: () => kinds,
    convert: (object) => object,
    applyDefaults: () => undefined,
  };
}

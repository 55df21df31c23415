import {
  DecodeError,
  decodeJSON,
  formatGroupVersion,
  messageOf,
  type GroupVersionKind,
  type KindInfo,
  type Scheme,
} from '@kubechain/apimachinery';
import { parse } from 'yaml';

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
  const { gvk, object } = decodeJSON(Buffer.from(jsonOf(text)), expected, {
    scheme: schemeOf(kinds),
    schemeName,
    strict: strict ? 'Strict' : 'Ignore',
  });
  return { gvk, fields: { ...object } };
}

function jsonOf(text: string): string {
  if (text.trimStart().startsWith('{')) return text;
  try {
    return JSON.stringify(parse(text) ?? null);
  } catch (error) {
    const reason = messageOf(error).split('\n')[0] ?? '';
    throw new DecodeError('Unreadable', `yaml: ${reason}`, { cause: error });
  }
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

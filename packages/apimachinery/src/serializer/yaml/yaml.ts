import type { KubeObject } from '../../object/object.ts';
import { noPause, type Pause } from '../../limits/pause.ts';
import type { KindInfo } from '../../runtime/scheme.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Decoded, DecodeOptions } from '../decoded.ts';
import { refuseManyValues } from '../json/many-values.ts';
import { toWireForm } from '../json/encode.ts';
import { plainJSON } from './plain-json.ts';
import { yamlText } from './yaml-text.ts';
import type { YAMLValue } from './yaml-value.ts';

/*
 * YAML is rare in the API and its parser is large, so both directions load on first use.
 */

/** As decodeJSON, for a YAML body; of several documents the first counts. */
export async function decodeYAML(
  bytes: Uint8Array,
  expected: KindInfo | undefined,
  options: DecodeOptions = {},
): Promise<Decoded> {
  const { decodeYAMLAtOnce } = await import('./decode-at-once.ts');
  return decodeYAMLAtOnce(bytes, expected, options);
}

/** What JSON begins with, which YAML is then as well. */
const OPEN_BRACE = 0x7b;

/** @throws DecodeError `Unreadable` with Go's text, StatusError 413 for more values than a client may send */
export async function readYAML(bytes: Uint8Array): Promise<YAMLValue> {
  if (bytes[0] === OPEN_BRACE) refuseManyValues(bytes);
  const json = plainJSON(bytes);
  if (json !== undefined) return { value: json, duplicates: undefined };
  const { yamlValue } = await import('./yaml-value.ts');
  return yamlValue(yamlText(bytes));
}

/** As encodeJSON, as block YAML in the form of Go's yaml.v2: sorted keys, lines folded at 80, trailing newline. */
export async function encodeYAML(object: KubeObject, schema?: Schema, pause: Pause = noPause): Promise<Buffer> {
  const { emitYAMLInTurns } = await import('./emit.ts');
  // Keys are put in order where they are written.
  const form = schema === undefined ? object : toWireForm(object, schema);
  await pause();
  return emitYAMLInTurns(form, pause);
}

/** What writes plain data as encodeYAML does, for those who cannot wait where they write. */
export async function loadYAMLEmitter(): Promise<(value: unknown) => string> {
  const { emitYAML } = await import('./emit.ts');
  return (value) => emitYAML(value).toString();
}

/**
 * Strict errors as warnings: YAML's list of duplicate keys becomes one warning per line
 * (parseYAMLWarnings of apiserver 1.36).
 */
export function strictWarnings(strictErrors: readonly string[]): string[] {
  return strictErrors.flatMap((text) => {
    const lines = /^(?:error converting YAML to JSON: )?yaml: unmarshal errors:\n([\s\S]*)$/.exec(text)?.[1];
    return lines === undefined ? [text] : lines.split('\n').map((line) => line.trim());
  });
}

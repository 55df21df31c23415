import { plainValue } from '../json/plain-value.ts';
import { parseYAML } from './parse.ts';
import type { JSONValue } from '../../object/object.ts';

/** A YAML document as plain data (of several the first), for patches. */
export interface YAMLValue {
  readonly value: JSONValue;
  /** What a strict reader would refuse: `yaml: unmarshal errors:\n  line 4: key "a" already set in map`. */
  readonly duplicates: string | undefined;
}

/** The first document of a YAML text as plain data. @throws DecodeError `Unreadable` with Go's text */
export function yamlValue(text: string): YAMLValue {
  const { value, duplicates } = parseYAML(text);
  return { value: plainValue(value), duplicates };
}

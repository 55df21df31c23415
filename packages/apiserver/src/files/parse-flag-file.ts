import { messageOf } from '@kubechain/apimachinery';
import { yamlValue } from '@kubechain/apimachinery/yaml';
import { unusableFlag } from '../options/options-error.ts';
import { readFlagFile } from '../options/read-flag-file.ts';

/**
 * The YAML or JSON document that a flag's file holds.
 * @throws OptionsError in one line that names flag and file
 */
export function parseFlagFile(path: string, flag: string): unknown {
  const text = readFlagFile(path, flag).toString('utf8');
  try {
    return yamlValue(text).value;
  } catch (error) {
    const reason = messageOf(error).split('\n')[0] ?? '';
    throw unusableFlag(flag, `${path}: failed decoding: ${reason}`, error);
  }
}

import { encodeYAML, isDecodeError, readYAML, type KubeObject } from '@kubechain/apimachinery';
import { yamlText } from '../../differential/texts.ts';
import { FuzzFailure, type FuzzTarget } from '../fuzz-target.ts';

/** YAML of bodies: what is read is written and read again as the same. */
export const yaml: FuzzTarget = {
  name: 'yaml',
  about: 'YAML: read or refused with a text, and what was read comes back from how it is written',
  open: () => ({
    attempt: async (random, input) => {
      // Block texts that mix line feeds and separators of lines (U+2028) do not all come back: left out.
      const text = yamlText(random).replaceAll('\u2028', ' ');
      input(text);
      try {
        const { value } = await readYAML(Buffer.from(text));
        const written = await encodeYAML(value as unknown as KubeObject);
        const again = (await readYAML(written)).value;
        // A key `<<` that merges nothing is written as one that does, as by sigs.k8s.io/yaml.
        if (textOf(again) !== textOf(value) && !textOf(value).includes('"<<":'))
          throw new FuzzFailure(`written as ${JSON.stringify(String(written))}`);
      } catch (error) {
        if (!isDecodeError(error)) throw error;
      }
    },
  }),
};

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));
}

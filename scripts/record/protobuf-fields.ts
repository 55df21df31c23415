import { globSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { ProtobufFacts } from '../generate/facts.ts';

/** Fields of every message in the `generated.proto` files below a folder: `package.Message` → field. */
export function protobufFields(root: string): ProtobufFacts {
  const messages: Record<string, ProtobufFacts[string]> = {};
  // Modules may be links.
  const files = readdirSync(root).flatMap((name) => {
    const module = realpathSync(join(root, name));
    return globSync('**/generated.proto', { cwd: module })
      .sort()
      .map((file) => join(module, file));
  });
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replace(/\/\/.*$/gm, '');
    const home = /^package ([\w.]+);/m.exec(text)?.[1] ?? '';
    for (const [, name = '', body = ''] of text.matchAll(/^message (\w+) \{\n([\s\S]*?)^\}/gm)) {
      const fields = /^\s+(optional |repeated )?(map<\w+, *[\w.]+>|[\w.]+) (\w+) = (\d+)/gm;
      messages[`${home}.${name}`] = Object.fromEntries(
        [...body.matchAll(fields)].map(([, label, type = '', field = '', number]) => [
          field,
          {
            number: Number(number),
            ...(label === 'repeated ' ? { repeated: true } : {}),
            type: type.replace(', ', ','),
          },
        ]),
      );
    }
  }
  return messages;
}

import {
  applyJSONPatch,
  applyMergePatch,
  decodeJSONPatch,
  isJSONObject,
  StatusError,
  strategicMergePatch,
  type JSONValue,
} from '@kubechain/apimachinery';
import { FuzzFailure, type FuzzTarget } from '../fuzz-target.ts';
import { anyKind, anyObject, oddValue } from './objects.ts';

const STEPS = [
  '',
  'metadata',
  'name',
  'labels',
  'spec',
  '0',
  '-1',
  '-',
  'a',
  '~1',
  '__proto__',
  'constructor',
  'items',
];

/** The three kinds of patches: applied or refused with a Status below 500, and no prototype is touched. */
export const patches: FuzzTarget = {
  name: 'patches',
  about: 'JSON, merge and strategic merge patches: applied or refused, and no prototype is touched',
  open: () => ({
    attempt: (random, input) => {
      const kind = anyKind(random);
      const document = plain(anyObject(random, kind));
      const pointer = (): string => random.list(4, () => `/${random.pick(STEPS)}`).join('');
      const operation = (): JSONValue =>
        plain({
          op: random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'x']),
          path: pointer(),
          ...(random.chance(2) ? { from: pointer() } : {}),
          ...(random.chance(4) ? {} : { value: oddValue(random) }),
        });
      const operations = random.list(5, operation);
      const other = plain(random.chance(2) ? anyObject(random, kind) : { a: oddValue(random) });
      input(JSON.stringify({ document, operations, other }));
      refusing(() => applyJSONPatch(document, decodeJSONPatch(operations), kind.schema));
      if (isJSONObject(document) && isJSONObject(other)) {
        refusing(() => applyMergePatch(document, other, kind.schema));
        refusing(() => strategicMergePatch(structuredClone(document), structuredClone(other), kind.schema));
      }
      if (Object.keys(Object.prototype).length > 0) throw new FuzzFailure('a prototype has got a member');
    },
  }),
};

function plain(value: unknown): JSONValue {
  return JSON.parse(JSON.stringify(value)) as JSONValue;
}

function refusing(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
}

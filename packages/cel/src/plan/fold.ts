import { CelError, EntryMap, GrowingList, GrowingMap, ItemList, isCelError, isList, isMap } from '../values/values.ts';
import type { Evaluate, Frame } from './frame.ts';
import { unset } from './unset.ts';

/** A comprehension that is ready to run. */
export interface Fold {
  readonly range: Evaluate;
  readonly condition: Evaluate;
  readonly step: Evaluate;
  readonly result: Evaluate;
  readonly accuSlot: number;
  readonly firstSlot: number;
  /** Of comprehensions with two variables, which get keys (or positions) and values. */
  readonly secondSlot: number | undefined;
}

/** Goes through a list or map; a failing step does not end it, since a later one may decide. */
export function runFold(frame: Frame, fold: Fold): unknown {
  const range = fold.range(frame);
  if (isCelError(range)) return range;
  const { slots } = frame;
  slots[fold.accuSlot] = unset;
  if (isList(range)) {
    for (let i = 0; i < range.size; i++) {
      if (fold.secondSlot === undefined) slots[fold.firstSlot] = range.at(i);
      else {
        slots[fold.firstSlot] = BigInt(i);
        slots[fold.secondSlot] = range.at(i);
      }
      if (!iterate(frame, fold)) break;
    }
  } else if (isMap(range)) {
    for (const key of range.keys()) {
      slots[fold.firstSlot] = key;
      if (fold.secondSlot !== undefined) slots[fold.secondSlot] = range.get(key);
      if (!iterate(frame, fold)) break;
    }
  } else return new CelError(`got '${goTypeOf(range)}', expected iterable type`);
  return finished(fold.result(frame));
}

function iterate(frame: Frame, { condition, step, accuSlot }: Fold): boolean {
  if (condition(frame) === false) return false;
  const value = step(frame);
  frame.slots[accuSlot] = value;
  return true;
}

/** What was collected does not grow any more. */
function finished(result: unknown): unknown {
  if (result instanceof GrowingList) return new ItemList(result.items);
  return result instanceof GrowingMap ? new EntryMap(result.entries) : result;
}

/** The type that cel-go keeps a value in. */
function goTypeOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'types.String';
    case 'bigint':
      return 'types.Int';
    case 'number':
      return 'types.Double';
    case 'boolean':
      return 'types.Bool';
    default:
      return value === null ? 'types.Null' : typeof value;
  }
}

import type { ControllerDescriptor } from '../controller/controller.ts';
import { absentControllers, type AbsentController } from './absent-controllers.ts';

/**
 * What `--controllers` chooses, with kube-controller-manager's semantics: `*` is all that are on by default, `NAME`
 * adds one, `-NAME` takes one away, the first mention of a name counts. Besides, the name of a group stands for its
 * controllers that are on by default, and `none` for nothing. What the reference has and would not run either is told
 * to `onIgnored`.
 * @throws RangeError that names what is unknown, in the reference's words
 */
export function selectControllers(
  chosen: readonly string[],
  known: readonly ControllerDescriptor[],
  onIgnored?: (controller: AbsentController) => void,
): readonly ControllerDescriptor[] {
  const words = chosen
    .filter((word) => word !== 'none' && !isAbsent(word, onIgnored))
    .map((word) => canonical(word, known));
  return known.filter((descriptor) => {
    for (const word of words) {
      if (word === descriptor.name) return true;
      if (word === `-${descriptor.name}`) return false;
    }
    return descriptor.onByDefault && (words.includes('*') || words.includes(descriptor.group));
  });
}

function isAbsent(word: string, onIgnored: ((controller: AbsentController) => void) | undefined): boolean {
  const name = word.replace(/^-/, '');
  const absent = absentControllers.find((each) => each.name === name || each.aliases.includes(name));
  if (absent === undefined) return false;
  if (word.startsWith('-')) return true;
  onIgnored?.(absent);
  return true;
}

function canonical(word: string, known: readonly ControllerDescriptor[]): string {
  if (word === '*' || known.some(({ group }) => group === word)) return word;
  const minus = word.startsWith('-') ? '-' : '';
  const name = word.slice(minus.length);
  const found = known.find((descriptor) => descriptor.name === name || descriptor.aliases.includes(name));
  if (found === undefined) throw new RangeError(`${JSON.stringify(name)} is not in the list of known controllers`);
  return minus + found.name;
}

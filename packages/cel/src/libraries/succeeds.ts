import { isCelError } from '../values/values.ts';

/** Whether a parser accepts a text. */
export function succeeds(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (isCelError(error)) return false;
    throw error;
  }
}

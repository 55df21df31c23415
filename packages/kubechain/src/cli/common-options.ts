import type { Command } from 'commander';
import { outputTo, type Output } from './output.ts';

/** Options that commands of a running chain have alike. */
export interface Common {
  readonly dataDir: string;
  readonly output?: string;
}

/** Where a command's result goes: text for people, or JSON. */
export function outputOf({ output }: Pick<Common, 'output'>): Output {
  return outputTo(process.stdout, output === 'json');
}

/** Makes a command that acts on the chain of a data directory. */
export type CommandOnDirectory = (name: string, description: string) => Command;

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

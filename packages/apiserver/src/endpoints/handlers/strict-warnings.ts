import type { RequestContext } from '../request-context.ts';

const yamlPrefixes = ['yaml: unmarshal errors:\n', 'error converting YAML to JSON: yaml: unmarshal errors:\n'];

/** One warning for each unknown or duplicate field; the YAML parser reports several in one text. */
export function addStrictWarnings(context: RequestContext, errors: readonly string[]): void {
  for (const error of errors) for (const warning of splitYAML(error)) context.addWarning(warning);
}

function splitYAML(error: string): string[] {
  for (const prefix of yamlPrefixes) if (error.startsWith(prefix)) return error.slice(prefix.length).split('\n').map((line) => line.trim());
  return [error];
}

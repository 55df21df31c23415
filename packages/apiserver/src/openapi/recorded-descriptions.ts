import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { definitionNames } from '@kubechain/apimachinery';
import type { DefinitionDescriptions, DescriptionSource } from './built-in-schema.ts';
import type { PackageDescriptions } from './package-descriptions.ts';

/**
 * What a build writes beside this module (or the bundle that it is part of), so that the packages are not needed.
 * Packed it is a sixth of its 1.4 MB.
 */
export const RECORDED_FILE_NAME = 'openapi-descriptions.json.gz';

/** Texts by definition name, and of query parameters by `name` or `OptionsKind name`. */
interface Recorded {
  readonly definitions: Readonly<
    Record<string, { readonly description?: string; readonly fields: Readonly<Record<string, string>> }>
  >;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Everything that a source of installed packages says, as JSON, packed by gzip. */
export function recordDescriptions(source: PackageDescriptions): Uint8Array {
  const definitions: Record<string, Recorded['definitions'][string]> = {};
  for (const name of definitionNames()) {
    const found = source.definition(name);
    if (found === undefined) continue;
    const { description, fields } = found;
    definitions[name] = { ...(description === undefined ? {} : { description }), fields: Object.fromEntries(fields) };
  }
  const recorded: Recorded = { definitions, parameters: Object.fromEntries(source.parameters()) };
  return gzipSync(JSON.stringify(recorded), { level: 9 });
}

/** Descriptions as a build has recorded them. The file is read once, when a text is first asked for. */
export class RecordedDescriptions implements DescriptionSource {
  readonly #file: string;
  #recorded: Recorded | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  definition(name: string): DefinitionDescriptions | undefined {
    const found = this.#read().definitions[name];
    if (found === undefined) return undefined;
    return { ...found, fields: new Map(Object.entries(found.fields)) };
  }

  parameter(name: string, definition?: string): string | undefined {
    const { parameters } = this.#read();
    const kind = definition?.slice(definition.lastIndexOf('.') + 1) ?? '';
    return parameters[`${kind} ${name}`] ?? parameters[name];
  }

  #read(): Recorded {
    this.#recorded ??= JSON.parse(gunzipSync(readFileSync(this.#file)).toString()) as Recorded;
    return this.#recorded;
  }
}

/** Where a build has put them. */
export function recordedFile(): string {
  return fileURLToPath(new URL(`./${RECORDED_FILE_NAME}`, import.meta.url));
}

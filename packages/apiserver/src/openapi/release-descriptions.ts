import type { Release } from '@kubechain/apimachinery';
import type { DefinitionDescriptions, DescriptionSource } from './built-in-schema.ts';

/** A definition, and its texts that are others, by field: its own is the one without a name, null is none. */
export type DescriptionRow = readonly [definition: string, texts: Readonly<Record<string, string | null>>];

/**
 * The texts of one release: those of another source, which are the default release's, but for what the release's table
 * says. The other source itself where the table is empty.
 */
export function releaseDescriptions(release: Release, source: DescriptionSource): DescriptionSource {
  const changed = new Map(release.table<DescriptionRow>('descriptions', []));
  if (changed.size === 0) return source;
  return {
    definition: (name) => withTexts(source.definition(name), changed.get(name)),
    parameter: (name, definition) => source.parameter(name, definition),
  };
}

function withTexts(
  found: DefinitionDescriptions | undefined,
  texts: DescriptionRow[1] | undefined,
): DefinitionDescriptions | undefined {
  if (texts === undefined) return found;
  const { '': own = found?.description, ...others } = texts;
  const fields = new Map(found?.fields);
  for (const [field, text] of Object.entries(others))
    if (text === null) fields.delete(field);
    else fields.set(field, text);
  return { ...(own === undefined || own === null ? {} : { description: own }), fields };
}

import type { DescriptionRow } from '../../packages/apiserver/src/openapi/release-descriptions.ts';
import type { DefinitionDescriptions } from '../../packages/apiserver/src/openapi/built-in-schema.ts';
import type { OpenAPISchema } from './facts.ts';

/** By definition, then by field; that of the definition itself is the one of the field without a name. */
export type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * The texts of a release that are not those of the packages, by definition; null is for what has none.
 * @param openapi schemas of the release
 */
export function descriptionRows(
  descriptions: Descriptions,
  openapi: Readonly<Record<string, OpenAPISchema>>,
  ofPackages: (definition: string) => DefinitionDescriptions | undefined,
): readonly DescriptionRow[] {
  return Object.entries(descriptions).flatMap(([definition, texts]): DescriptionRow[] => {
    const found = ofPackages(definition);
    const names = ['', ...Object.keys(openapi[definition]?.properties ?? {})];
    const changed = names.filter(
      (name) => texts[name] !== (name === '' ? found?.description : found?.fields.get(name)),
    );
    return changed.length === 0
      ? []
      : [[definition, Object.fromEntries(changed.map((name) => [name, texts[name] ?? null]))]];
  });
}

import type { JSONSchemaProps } from './json-schema-props.ts';
import { additionalOf, itemSchemas, itemsOf } from './json-schema-props.ts';

type Is = (schema: JSONSchemaProps) => boolean;

/**
 * Whether some schema in a schema is as asked: itself first, then those below it, which a CRD may not have included.
 * Stops at the first.
 * No generator: a schema has hundreds of nodes, and is walked several times when it is written.
 */
export function schemaHas(props: JSONSchemaProps | undefined, is: Is): boolean {
  if (props === undefined) return false;
  if (is(props)) return true;
  const { additionalItems } = props;
  return (
    schemaHas(itemsOf(props), is) ||
    someOf(itemSchemas(props), is) ||
    someOf(props.allOf, is) ||
    someOf(props.anyOf, is) ||
    someOf(props.oneOf, is) ||
    schemaHas(props.not, is) ||
    someIn(props.properties, is) ||
    schemaHas(additionalOf(props), is) ||
    someIn(props.patternProperties, is) ||
    schemaHas(typeof additionalItems === 'object' ? additionalItems : undefined, is) ||
    someIn(props.definitions, is) ||
    (props.dependencies !== undefined &&
      someOf(
        Object.values(props.dependencies).filter(
          (value): value is JSONSchemaProps => value !== null && !Array.isArray(value),
        ),
        is,
      ))
  );
}

/** Calls `visit` with every schema in a schema, in the order of {@link schemaHas}. */
export function forEachSchema(props: JSONSchemaProps, visit: (schema: JSONSchemaProps) => void): void {
  schemaHas(props, (schema) => {
    visit(schema);
    return false;
  });
}

function someOf(schemas: readonly JSONSchemaProps[] | undefined, is: Is): boolean {
  return schemas?.some((schema) => schemaHas(schema, is)) === true;
}

function someIn(schemas: Readonly<Record<string, JSONSchemaProps>> | undefined, is: Is): boolean {
  return schemas !== undefined && someOf(Object.values(schemas), is);
}

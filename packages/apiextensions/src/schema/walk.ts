import type { JSONSchemaProps } from './json-schema-props.ts';
import { additionalOf } from './json-schema-props.ts';

/** Every schema in a schema, itself first, those that a CRD may not have included. */
export function* schemasIn(props: JSONSchemaProps): Generator<JSONSchemaProps> {
  yield props;
  const additionalItems = typeof props.additionalItems === 'object' ? props.additionalItems : undefined;
  const groups: (readonly (JSONSchemaProps | undefined)[])[] = [
    Array.isArray(props.items) ? props.items as readonly JSONSchemaProps[] : [props.items],
    props.allOf ?? [], props.anyOf ?? [], props.oneOf ?? [], [props.not],
    Object.values(props.properties ?? {}), [additionalOf(props)], Object.values(props.patternProperties ?? {}), [additionalItems], Object.values(props.definitions ?? {}),
    Object.values(props.dependencies ?? {}).filter((value): value is JSONSchemaProps => !Array.isArray(value)),
  ];
  for (const group of groups) for (const child of group) if (child !== undefined) yield* schemasIn(child);
}

/** Whether some schema in a schema is as asked. */
export function schemaHas(props: JSONSchemaProps | undefined, is: (schema: JSONSchemaProps) => boolean): boolean {
  if (props === undefined) return false;
  for (const schema of schemasIn(props)) if (is(schema)) return true;
  return false;
}

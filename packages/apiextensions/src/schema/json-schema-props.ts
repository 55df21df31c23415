/** A CEL rule of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** Marks copies of schemas whose numbers are held to no range of their type and format, as before 1.36. */
export const unranged = Symbol('unranged');

/**
 * JSONSchemaProps of apiextensions/v1 as plain JSON. Only some members may be used in a CRD; validation refuses the
 * others.
 */
export interface JSONSchemaProps {
  readonly [unranged]?: true;
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly unknown[];
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  /** A list of schemas can be written, and is refused; what is no schema at all is read as null. */
  readonly items?: JSONSchemaProps | null;
  readonly allOf?: readonly JSONSchemaProps[];
  readonly oneOf?: readonly JSONSchemaProps[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly not?: JSONSchemaProps;
  readonly properties?: Readonly<Record<string, JSONSchemaProps>>;
  readonly additionalProperties?: boolean | JSONSchemaProps;
  readonly patternProperties?: Readonly<Record<string, JSONSchemaProps>>;
  /** What is neither is read as null. */
  readonly dependencies?: Readonly<Record<string, JSONSchemaProps | readonly string[] | null>>;
  readonly additionalItems?: boolean | JSONSchemaProps;
  readonly definitions?: Readonly<Record<string, JSONSchemaProps>>;
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-map-type'?: 'granular' | 'atomic';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
  readonly [keyword: string]: unknown;
}

/** Whether there is a default; a null one counts as none, as in the Go type. */
export function hasDefault(props: JSONSchemaProps): boolean {
  return props.default !== undefined && props.default !== null;
}

/** The items' schema, if it is a single one. */
export function itemsOf(props: JSONSchemaProps): JSONSchemaProps | undefined {
  return props.items === undefined || props.items === null || Array.isArray(props.items) ? undefined : props.items;
}

/** The items' schemas where there are several, which is not allowed. */
export function itemSchemas(props: JSONSchemaProps): readonly JSONSchemaProps[] {
  return Array.isArray(props.items) ? (props.items as readonly JSONSchemaProps[]) : [];
}

/** The schema of values under keys that are no properties, if there is one. */
export function additionalOf(props: JSONSchemaProps): JSONSchemaProps | undefined {
  return typeof props.additionalProperties === 'object' ? props.additionalProperties : undefined;
}

/** The schema of a property, whatever its name. */
export function propertyOf(props: JSONSchemaProps, name: string): JSONSchemaProps | undefined {
  return props.properties !== undefined && Object.hasOwn(props.properties, name) ? props.properties[name] : undefined;
}

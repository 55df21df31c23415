import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';

/** How a schema node hangs below its parent. */
export type SchemaStep =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'items' }
  | { readonly kind: 'additionalProperties' };

/**
 * A schema node with CEL rules (`x-kubernetes-validations`), whose schema is otherwise valid at this node and below.
 */
export interface RuleNode {
  readonly schema: JSONSchemaProps;
  /** Of the node, e.g. `spec.validation.openAPIV3Schema.properties[spec]`. */
  readonly path: FieldPath;
  /** The way from the root schema to this node, with the schemas met; the root's own entry is not in it. */
  readonly ancestry: readonly { readonly step: SchemaStep; readonly schema: JSONSchemaProps }[];
  /** The node from which on old and new values cannot be told to belong together, so that `oldSelf` may not be used. */
  readonly uncorrelatable: FieldPath | undefined;
  /** The version's schema is as it was before the update: costs of single expressions are not limited then. */
  readonly unchanged: boolean;
  /** Expressions that the CRD had before the update, which may use what newer servers know. */
  readonly storedExpressions: ReadonlySet<string>;
}

/** Checks the rules of one version's schema; counts their cost. */
export interface RuleSession {
  /** What is wrong with the rules of a node: compilation, cost, misuse of `oldSelf`. */
  check(node: RuleNode): readonly FieldError[];
  /** Once at the end, with the path of the root schema: the cost of all rules together. */
  finish(path: FieldPath): readonly FieldError[];
}

/** What CRD validation asks of the implementation of CEL rules. */
export interface RuleChecker {
  begin(root: JSONSchemaProps): RuleSession;
  /** Whether a default satisfies the rules of its own schema. */
  checkDefault(
    schema: JSONSchemaProps,
    value: unknown,
    at: { readonly path: FieldPath; readonly isRoot: boolean },
  ): readonly FieldError[];
}

import type { Route } from './route.ts';

/** What CBOR stands behind, in lists of media types. */
const companions: ReadonlyMap<string, string> = new Map([
  ['application/vnd.kubernetes.protobuf', 'application/cbor'],
  ['application/vnd.kubernetes.protobuf;stream=watch', 'application/cbor-seq'],
  ['application/apply-patch+yaml', 'application/apply-patch+cbor'],
]);

/** The operation where the feature gate CBORServingAndStorage is on. */
export function withCBOR(route: Route): Route {
  return { ...route, consumes: withCompanions(route.consumes), produces: withCompanions(route.produces) };
}

function withCompanions(types: readonly string[]): readonly string[] {
  return types.flatMap((type) => {
    const companion = companions.get(type);
    return companion === undefined ? [type] : [type, companion];
  });
}

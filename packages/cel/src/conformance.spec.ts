import { expect } from 'chai';
import { OtherEnvironment, conformanceTests, differenceOf } from './testing/conformance.ts';
import type { ConformanceTest } from './testing/conformance.ts';

/**
 * What Kubernetes' environment decides otherwise than cel-spec, on purpose (k8s.io/apiserver
 * pkg/cel/environment/base.go, cel-go 0.26).
 */
const decided: readonly (readonly [why: string, tests: readonly string[]])[] = [
  ['a key may be written twice (cel-go, too)', ['fields/qualified_identifier_resolution/map_value_repeat_key']],
  [
    'looking below what has no fields finds nothing (EnableErrorOnBadPresenceTest is off)',
    ['optionals/optionals/map_null_entry_no_such_key', 'optionals/optionals/map_present_key_invalid_field'],
  ],
  [
    'an offset behind the end finds nothing (cel-go, too)',
    ['string_ext/value_errors/indexof_out_of_range', 'string_ext/value_errors/lastindexof_out_of_range'],
  ],
  [
    'null does not stand for an optional value in a list (cel-go, too)',
    ['type_deductions/legacy_nullable_types/null_assignable_to_abstract_parameter_candidate'],
  ],
  [
    'format() is that of version 2 of the strings library',
    [
      'scientific notation formatting clause',
      'default precision for scientific notation',
      'positive infinity support for scientific notation',
      'negative infinity support for scientific notation',
      'NaN support for decimal',
      'positive infinity support for decimal',
      'negative infinity support for decimal',
      'positive infinity support for fixed-point',
      'negative infinity support for fixed-point',
      'list support for string',
      'map support for string',
      'map support (all key types)',
      'dyntype support for scientific notation',
      'dyntype NaN/infinity support',
      'dyntype support for lists',
      'dyntype support for maps',
      'scientific notation formatting clause in a string variable',
    ].map((name) => `string_ext/format/${name}`),
  ],
];

/** The items of a list and the keys and values of a map are of one type (ValidateHomogeneousAggregateLiterals). */
const mixedLiteral = /: expected type '.*' but found '.*'$/;

describe("cel-spec's conformance tests", () => {
  const outcomes = new Map<string, string | undefined>();
  const files = conformanceTests();
  for (const [file, tests] of files) {
    const inside = tests.filter((test) => note(outcomes, test));
    if (inside.length === 0) continue;
    it(`${file}: ${inside.length} of ${tests.length}`, () => {
      const exceptions = new Set(decided.flatMap(([, names]) => names));
      const failed = inside.filter(({ path, expr }) => {
        const outcome = outcomes.get(path);
        return outcome !== undefined && !exceptions.has(path) && !(mixedLiteral.test(outcome) && /[[{]/.test(expr));
      });
      expect(failed.map(({ path, expr }) => `${path}: ${expr}: ${outcomes.get(path) ?? ''}`)).to.deep.equal([]);
    });
  }

  for (const [why, names] of decided)
    it(why, () => {
      expect(names.filter((name) => outcomes.get(name) === undefined)).to.deep.equal([]);
    });

  it('are most of those that need no protobuf messages', () => {
    const refused = [...outcomes.values()].filter((outcome) => outcome !== undefined && mixedLiteral.test(outcome));
    expect(outcomes.size).to.be.at.least(1200);
    expect(refused.length).to.be.within(30, 60);
  });
});

/** Runs a test and notes what came of it; false if it is of another environment. */
function note(outcomes: Map<string, string | undefined>, test: ConformanceTest): boolean {
  try {
    outcomes.set(test.path, differenceOf(test));
    return true;
  } catch (error) {
    if (error instanceof OtherEnvironment) return false;
    throw error;
  }
}

import { tests as suite } from '@bufbuild/cel-spec/testdata/parsing.js';
import { expect } from 'chai';
import { compileExpression, isCompileFailure } from './compile.ts';
import { baseFunctions } from './libraries/libraries.ts';

/**
 * Errors of an environment without optional values and two-variable macros, with other variables and lower limits than
 * Kubernetes'.
 */
const ofOtherEnvironment =
  /unsupported syntax '(?:\.\?|\[\?|\?)'|limit exceeded|max recursion|reference to '(?:\w+\.)*(?:existsOne|exists|all|exists_one|transform\w+|optional|opt\w+|or|orValue|hasValue|value|cel|sort|reverse|charAt|format|x|y|z|i[a-z]|lists|test|google|TestAllTypes|fg_s|fi_s_s)'|google\.expr|TestAllTypes/;
/** With one variable the macro came later than Kubernetes' version of CEL. */
const newerMacro = /\.existsOne\([^,]*,[^,]*\)$/;

describe("cel-go's own parser tests", () => {
  const failing = (suite.tests ?? []).flatMap(({ original: { expr }, error }) =>
    error === undefined || ofOtherEnvironment.test(error) || newerMacro.test(expr)
      ? []
      : [{ expr, error: error.replaceAll('<input>', '') }],
  );
  it(`have the same texts for ${failing.length} mistakes`, () => {
    expect(failing.length).to.be.at.least(100);
    for (const { expr, error } of failing) {
      const made = compileExpression(expr, { variables: new Map(), functions: baseFunctions });
      expect(isCompileFailure(made) ? made.text.replaceAll('<input>', '') : 'no mistake', expr).to.equal(error);
    }
  });

  it('and what nests too deeply, as text or as operations, is refused', () => {
    for (const [expr, text] of [
      [`${'('.repeat(251)}1${')'.repeat(251)}`, 'expression recursion limit exceeded: 250'],
      [`[${'1 + '.repeat(251)}1]`, 'max recursion depth exceeded'],
      [`{}${'.a'.repeat(251)}`, 'max recursion depth exceeded'],
      [`{}${'[0]'.repeat(251)}`, 'max recursion depth exceeded'],
      [`"a"${'.trim()'.repeat(251)}`, 'max recursion depth exceeded'],
      [`${'false ? 1 : '.repeat(200)}2`, undefined],
      [`1 + 1${' || true'.repeat(2000)}`, "expected type 'bool' but found 'int'"],
      [`true${' && true'.repeat(2000)}`, undefined],
      [`${'1 + '.repeat(250)}1 == 251`, 'max recursion depth exceeded'],
      [`${'1 + '.repeat(249)}1 == 250`, undefined],
    ] as const) {
      const made = compileExpression(expr, { variables: new Map(), functions: baseFunctions });
      const told = isCompileFailure(made) ? made.text : undefined;
      if (text === undefined) expect(told, expr).to.equal(undefined);
      else expect(told, expr).to.include(text);
    }
  });
});

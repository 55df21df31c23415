import { expect } from 'chai';
import { builtinFunctions } from './builtin-functions.ts';
import { renderTemplate } from './evaluate-template.ts';
import { parseTemplate } from './parse-template.ts';

const find = (name: string) => (Object.hasOwn(builtinFunctions, name) ? builtinFunctions[name] : undefined);
const render = (template: string, data: unknown = {}): string =>
  renderTemplate(
    parseTemplate(template, (name) => find(name) !== undefined),
    data,
    find,
  );

describe('templates of stages', () => {
  const pod = {
    metadata: { name: 'web', labels: { app: 'web' }, annotations: { a: '' } },
    spec: { containers: [{ name: 'c' }, { name: 'd' }] },
    status: { count: 2 },
  };
  // As Go's text/template and sprig answer, but for numbers of objects, which can be compared here.
  const rows: readonly (readonly [name: string, template: string, expected: string, data?: unknown])[] = [
    ['text', 'a {b} c', 'a {b} c'],
    ['a field', '{{ .metadata.name }}', 'web'],
    ['a field of what is not there', '{{ .a.b.c }}', '<no value>'],
    ['the root', '{{ with .metadata }}{{ $.status.count }}{{ end }}', '2'],
    ['a pipeline', '{{ .metadata.name | printf "%s-%d" "x" | len }}', '17'],
    ['trimmed space', 'a {{- " b " -}} c', 'a b c'],
    ['a comment', 'a{{/* b */}}c{{- /* d */ -}} e', 'ace'],
    ['a raw string', '{{ `a"\\n` }}', 'a"\\n'],
    ['escapes', '{{ "a\\t\\u00e9\\"" }}', 'a\té"'],
    ['a variable', '{{ $x := 1 }}{{ $x = add $x 1 }}{{ $x }}', '2'],
    ['a variable changed inside', '{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }}', '2'],
    ['a variable that hides another', '{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ end }}{{ $x }}', '1'],
    ['fields of a variable', '{{ $m := .metadata }}{{ $m.labels.app }}', 'web'],
    ['fields of parentheses', '{{ (index .spec.containers 1).name }}', 'd'],
    ['if', '{{ if .spec.none }}a{{ else if eq .status.count 2 }}b{{ else }}c{{ end }}', 'b'],
    ['what counts as false', '{{ if or 0 "" false nil .none dict list }}a{{ else }}b{{ end }}', 'b'],
    ['with, and its else', '{{ with .spec.none }}a{{ else with .metadata.name }}{{ . }}{{ end }}', 'web'],
    ['range', '{{ range .spec.containers }}{{ .name }},{{ end }}', 'c,d,'],
    ['range with an index', '{{ range $i, $c := .spec.containers }}{{ $i }}{{ $c.name }} {{ end }}', '0c 1d '],
    ['range over a map, sorted', '{{ range $k, $v := . }}{{ $k }}{{ $v }}{{ end }}', 'a1b2', { b: 2, a: 1 }],
    ['range over a number', '{{ range 3 }}{{ . }}{{ end }}', '012'],
    ['range over nothing', '{{ range .none }}a{{ else }}b{{ end }}', 'b'],
    [
      'break and continue',
      '{{ range list 1 2 3 4 }}{{ if eq . 2 }}{{ continue }}{{ end }}{{ if eq . 4 }}{{ break }}{{ end }}{{ . ' +
        '}}{{ end }}',
      '13',
    ],
    ['and, or stop early', '{{ or .metadata.name (index .none 1) }}{{ and .none (index .none 1) }}', 'web<no value>'],
    ['a map and a list', '{{ . }}', 'map[a:[1 x] b:<nil>]', { b: null, a: [1, 'x'] }],
    ['comparisons', '{{ lt 1 2 }}{{ ge "b" "a" }}{{ ne 1 1 }}{{ eq 3 1 2 3 }}', 'truetruefalsetrue'],
    [
      'printf',
      '{{ printf "%5d|%-3s|%03d|%q|%v|%.2f|%d" 42 "a" 7 "x" true 1.5 }}',
      '   42|a  |007|"x"|true|1.50|%!d(MISSING)',
    ],
    ['sprig', '{{ default "x" .none }}{{ ternary "a" "b" true }}{{ upper "c" | nindent 2 }}', 'xa\n  C'],
  ];
  for (const [name, template, expected, data = pod] of rows)
    it(name, () => expect(render(template, data)).to.equal(expected));

  const refused: readonly (readonly [template: string, message: string])[] = [
    ['a\n{{ nonsense 1 }}', 'line 2: function "nonsense" is not supported'],
    ['{{ define "a" }}{{ end }}', 'line 1: {{define}} is not supported'],
    ['{{ if true }}\na', 'line 1: {{if}} has no {{end}}'],
    ['{{ end }}', 'line 1: unexpected {{end}}'],
    ['{{ .a', 'line 1: unclosed action'],
    ['{{ $x }}', 'line 1: undefined variable "$x"'],
    ['{{ range .a }}{{ $y := 1 }}{{ end }}\n{{ $y }}', 'line 2: undefined variable "$y"'],
    ['{{ break }}', 'line 1: {{break}} outside {{range}}'],
    ['{{ (1 }}', 'line 1: unclosed left paren'],
    ['{{ "a }}', 'line 1: unterminated quoted string'],
    ['{{ a ; b }}', 'line 1: unexpected ";" in an action'],
    ['{{ .a 1 }}', 'line 1: arguments are given to what is no function'],
    ['{{ }}', 'line 1: missing value for command'],
  ];
  for (const [template, message] of refused)
    it(`refuses ${JSON.stringify(template)}`, () => expect(() => render(template)).to.throw(message));

  it('tells where a template fails that was understood', () => {
    expect(() => render('\n\n{{ index .none 1 }}')).to.throw('line 3: error calling index: index of nil');
    expect(() => render('{{ .metadata.name.first }}', pod)).to.throw("line 1: can't evaluate field first in web");
    expect(() => render('{{ range .metadata.name }}{{ end }}', pod)).to.throw("line 1: range can't iterate over web");
  });
});

import type { Finding, ValidatedObject } from './finding.ts';
import type { Place } from './source-object.ts';

/** How findings are told. */
export const REPORTS = ['text', 'json', 'sarif', 'junit'] as const;
export type ReportFormat = (typeof REPORTS)[number];

/** All that was found, in a format. */
export function report(objects: readonly ValidatedObject[], format: ReportFormat, version: string): string {
  switch (format) {
    case 'text':
      return text(objects);
    case 'json':
      return JSON.stringify(
        { objects: objects.length, findings: objects.flatMap(({ findings }) => findings) },
        undefined,
        2,
      );
    case 'sarif':
      return JSON.stringify(sarif(objects, version), undefined, 2);
    case 'junit':
      return junit(objects);
    default:
      return format satisfies never;
  }
}

function text(objects: readonly ValidatedObject[]): string {
  const findings = objects.flatMap((object) => object.findings);
  const count = (level: Finding['level']): number => findings.filter((finding) => finding.level === level).length;
  return [
    ...findings.map((finding) => `${where(finding.place)}: ${finding.level}: ${labelled(finding)}`),
    `${objects.length} objects, ${count('error')} errors, ${count('warning')} warnings`,
  ].join('\n');
}

function where({ column, file, line, template }: Place): string {
  return `${file}:${line}:${column}${template === undefined ? '' : ` (${template})`}`;
}

function labelled({ message, object }: Finding): string {
  return object === '' ? message : `${object}: ${message}`;
}

/** SARIF 2.1.0, as code scanning reads it. */
function sarif(objects: readonly ValidatedObject[], version: string): object {
  const findings = objects.flatMap((object) => object.findings);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'kubechain',
            version,
            rules: [...new Set(findings.map(({ rule }) => rule))].map((id) => ({ id })),
          },
        },
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          level: finding.level,
          message: { text: labelled(finding) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: finding.place.file === '-' ? 'stdin' : finding.place.file },
                region: { startLine: finding.place.line, startColumn: finding.place.column },
              },
            },
          ],
        })),
      },
    ],
  };
}

/** A test case for each object; warnings are its output. */
function junit(objects: readonly ValidatedObject[]): string {
  const failed = objects.filter(({ findings }) => findings.some(({ level }) => level === 'error'));
  const lines = ({ findings }: ValidatedObject, level: Finding['level']): string =>
    findings
      .filter((finding) => finding.level === level)
      .map((finding) => `${where(finding.place)}: ${finding.message}`)
      .join('\n');
  const cases = objects.map((object) => {
    const errors = lines(object, 'error');
    const warnings = lines(object, 'warning');
    return [
      `    <testcase classname="${xml(object.place.file)}" ` +
        `name="${xml(object.object === '' ? where(object.place) : object.object)}">`,
      ...(errors === ''
        ? []
        : [`      <failure message="${xml(errors.split('\n', 1)[0] ?? '')}">${xml(errors)}</failure>`]),
      ...(warnings === '' ? [] : [`      <system-out>${xml(warnings)}</system-out>`]),
      '    </testcase>',
    ].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="kubechain validate" tests="${objects.length}" failures="${failed.length}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function xml(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
      // eslint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd')
  );
}

import { limits, type Limit } from '@kubechain/apimachinery';

const rows: Readonly<Record<string, Limit>> = limits;

const head = `# Limits

What a client decides the size of has a limit here. \`here\` and \`reference\` are in the unit named; \`—\` says that
kube-apiserver 1.36 has no such limit. The table is written by \`npm run limits\` from
[limits.ts](../packages/apimachinery/src/limits/limits.ts), which says how to add a row.

| limit | of | unit | here | reference | beyond it | reference's source, or reason | shown by |
|---|---|---|---|---|---|---|---|
`;

/** docs/limits.md as the table says it. */
export function limitsDocument(): string {
  return head + Object.entries(rows).map(line).join('');
}

function line([key, limit]: readonly [string, Limit]): string {
  const spec = limit.spec.slice(limit.spec.lastIndexOf('/') + 1);
  const cells = [
    key,
    limit.of,
    limit.unit,
    amount(limit.value),
    limit.reference === undefined ? '—' : amount(limit.reference),
    limit.refusal,
    limit.source,
    `[${spec}](../${limit.spec})`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
}

function amount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from '@kubechain/apimachinery/types/autoscaling/v2';
import { none, unset } from '../table/cells.ts';
import { ageOf, nameOf } from '../table/printer.ts';
import type { Printer } from '../table/printer.ts';

interface Target {
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
}

/** Row of HorizontalPodAutoscaler (pkg/printers/internalversion, 1.36). */
export const printAutoscaler: Printer<HorizontalPodAutoscaler> = (autoscaler) => {
  const { spec, status } = autoscaler;
  return [
    nameOf(autoscaler),
    `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`,
    metricsCell(spec?.metrics ?? [], status?.currentMetrics ?? []),
    spec?.minReplicas === undefined ? unset : String(spec.minReplicas),
    spec?.maxReplicas ?? 0,
    status?.currentReplicas ?? 0,
    ageOf(autoscaler),
  ];
};

const shown = 2;

function metricsCell(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return none;
  const cells = specs.map((spec, i) => metricCell(spec, statuses[i]));
  return cells.length > shown
    ? `${cells.slice(0, shown).join(', ')} + ${cells.length - shown} more...`
    : cells.join(', ');
}

function metricCell(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case 'External':
      return valueCell(spec.external?.target, status?.external?.current);
    case 'Object':
      return valueCell(spec.object?.target, status?.object?.current);
    case 'Pods':
      return (
        `${status?.pods === undefined ? unknown : quantity(status.pods.current?.averageValue)}/` +
        `${quantity(spec.pods?.target?.averageValue)}`
      );
    case 'Resource':
      return utilizationCell(spec.resource?.name ?? '', spec.resource?.target, status?.resource?.current);
    case 'ContainerResource':
      return utilizationCell(
        spec.containerResource?.name ?? '',
        spec.containerResource?.target,
        status?.containerResource?.current,
      );
    default:
      return '<unknown type>';
  }
}

const unknown = '<unknown>';
const quantity = (text: string | undefined): string => text ?? '<nil>';

function valueCell(target: Target | undefined, current: Target | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`;
  return `${current === undefined ? unknown : quantity(current.value)}/${quantity(target?.value)}`;
}

function utilizationCell(name: string, target: Target | undefined, current: Target | undefined): string {
  if (target?.averageValue !== undefined)
    return `${name}: ${current === undefined ? unknown : quantity(current.averageValue)}/${target.averageValue}`;
  const percent = (value: number | undefined, missing: string): string => (value === undefined ? missing : `${value}%`);
  return `${name}: ${percent(current?.averageUtilization, unknown)}/${percent(target?.averageUtilization, '<auto>')}`;
}

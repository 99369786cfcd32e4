/** The name of a partition among the reasons of health, and in the lag of `sds status`. */
export function streamName({ projector, partition }: { projector: string; partition: number }): string {
  return `${projector}/${partition}`;
}

/** The folder of refs that hold points. */
export const POINT_REFS = 'refs/points/';

export const pointRef = (id: string): string => `${POINT_REFS}${id}`;

/** The annotated tags of a project; a name that is taken for another commit gets `.2`, `.3` … from the vault. */
export const tagNames = {
  prd: (rev: number): string => `prd-rev-${rev}`,
  sdd: (rev: number): string => `sdd-rev-${rev}`,
  shipped: ({ prd, sdd }: { readonly prd: number; readonly sdd: number }): string => `shipped-v${prd}-${sdd}`,
  final: (prd: number): string => `final-v${prd}`,
  abandoned: (): string => 'abandoned',
} as const;

/** A record of a CSV file. `problem` says why its cells are a guess. */
export type CsvRecord = { cells: string[]; problem: string | null }

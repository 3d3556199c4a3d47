/** A record of a CSV file. If `problem` is set, the cells may be split incorrectly. */
export type CsvRecord = { cells: string[]; problem: string | null }

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB']

/** Units of 1024, with one decimal below ten: 3250585 -> '3.1 MB'. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** step
  return `${step > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`
}

export const formatOf = (fileName: string): string => /\.([a-z0-9]{1,5})$/i.exec(fileName)?.[1]?.toUpperCase() ?? 'File'

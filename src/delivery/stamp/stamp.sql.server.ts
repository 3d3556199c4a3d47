import { MAX_STAMPED_BYTES } from './stamp.rules.ts'

export const isStamped = (
  file: string,
) => `(${file}.content_type = 'application/pdf' AND ${file}.size_bytes <= ${MAX_STAMPED_BYTES}
    AND (SELECT stamps_pdf FROM products WHERE id = ${file}.product_id))`

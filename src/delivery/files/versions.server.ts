// SQL fragments about the versions of files. They read `products AS p`.

export const isNewerThan = (bought: string) => `n.product_id = ${bought}.product_id AND n.part = ${bought}.part
    AND n.id <> ${bought}.id AND n.id = ANY (p.file_id || p.more_file_ids)`

/** Columns that every generated table has, and fields of its forms. */
export const ownColumns = [
  'id',
  'version',
  'ownerId',
  'owner',
  'authorId',
  'author',
  'createdAt',
  'updatedAt',
]

/** They cannot be the name of a variable. */
export const javaScriptWords = new Set(
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in input instanceof interface let new newId null package private protected public return scope static super switch this throw true try tx typeof var void while with yield'.split(
    ' ',
  ),
)

/** Keywords that PostgreSQL accepts as a column name in quotes only. */
export const sqlWords = new Set(
  'all analyse analyze and any array as asc asymmetric authorization between binary both case cast check collate collation column concurrently constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references returning right select session_user similar some symmetric system_user table tablesample then to trailing true union unique user using variadic verbose when where window with'.split(
    ' ',
  ),
)

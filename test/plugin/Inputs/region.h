/* Memory at a place that is the same in every run, since a line's place decides whether it is in
 * the sample. */
#define REGION 0x100000000000ull
#define ROOM (1 << 23)

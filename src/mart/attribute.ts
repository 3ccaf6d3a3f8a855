/** Entities with attributes in the mart, each with a `dim_…_attribute` and a `bridge_…_attribute`. */
export const attributeSubjects = ["zone", "campaign", "item"] as const;
export type AttributeEntity = (typeof attributeSubjects)[number];
